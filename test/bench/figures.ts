/** One measured number with its name, unit and, where there is one, its goal (`>= 0.8`). */
export interface Figure {
  name: string;
  value: number;
  unit: string;
  goal?: string;
}

const rounded = (value: number): number => (value >= 100 ? Math.round(value) : Number(value.toPrecision(3)));

/** A table for people, and as the last line JSON for machines. */
export function printFigures(figures: readonly Figure[]): void {
  const width = Math.max(...figures.map(figure => figure.name.length));
  for (const { name, value, unit, goal } of figures) {
    const said = `${rounded(value).toLocaleString("en").padStart(12)} ${unit.padEnd(9)}`;
    console.log(`${name.padEnd(width)} ${said}${goal ? ` goal ${goal}` : ""}`);
  }
  console.log(JSON.stringify(figures.map(figure => ({ ...figure, value: rounded(figure.value) }))));
}

export const timed = (work: () => void): number => {
  const start = performance.now();
  work();
  return performance.now() - start;
};

export const quantile = (times: number[], q: number): number =>
  times.sort((a, b) => a - b)[Math.floor(q * (times.length - 1))] ?? 0;
