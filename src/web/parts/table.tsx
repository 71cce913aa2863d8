import type { ComponentChildren } from "preact";
import { Scroll } from "./page.tsx";

export interface Column<Row> {
  title: string;
  cell(row: Row): ComponentChildren;
  /** A figure: set to the right. */
  num?: true;
  class?: string;
}

/** Rows of one kind. On narrow screens each row becomes a block of named values, the first column its heading. */
export const Table = <Row,>({
  label,
  columns,
  rows,
  keyOf,
}: {
  label: string;
  columns: (Column<Row> | false)[];
  rows: readonly Row[];
  keyOf(row: Row): string | number;
}) => {
  const shown = columns.filter(column => column !== false);
  const kind = ({ num, class: extra = "" }: Column<Row>) => `${num ? "num" : ""} ${extra}`.trim();
  return (
    <Scroll label={label}>
      <table class="table">
        <thead>
          <tr>
            {shown.map(column => (
              <th key={column.title} scope="col" class={column.num ? "num" : ""}>
                {column.title}
              </th>
            ))}
          </tr>
        </thead>
        <tbody>
          {rows.map(row => (
            <tr key={keyOf(row)}>
              {shown.map(column => (
                <td key={column.title} class={kind(column)} data-title={column.title}>
                  <div>{column.cell(row)}</div>
                </td>
              ))}
            </tr>
          ))}
        </tbody>
      </table>
    </Scroll>
  );
};
