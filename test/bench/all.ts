/**
 * Log and server in one run, with the ratios between them: `npm run bench -- [events=1000000] [seconds a row=4]`, about
 * three minutes. Prints a table and, as the last line, JSON.
 */
import { type Figure, printFigures } from "./figures.ts";
import { measureHttp } from "./http.ts";
import { measureLog } from "./log.ts";

const [events = "1000000", seconds = "4"] = process.argv.slice(2);
const figures = [...(await measureLog(Number(events))), ...(await measureHttp(Number(seconds)))];
const figureOf = (name: string): number => figures.find(figure => figure.name === name)!.value;

/** Of the faster of 16 and 64 connections. */
const ratios = [10, 100, 1000].map((batch): Figure => {
  const overHttp = Math.max(
    ...[16, 64].map(connections => figureOf(`HTTP, batch ${batch}, ${connections} connections`)),
  );
  const value = overHttp / figureOf(`in process, batch ${batch}`);
  return {
    name: `HTTP / in process, batch ${batch}`,
    value,
    unit: "ratio",
    ...(batch >= 100 ? { goal: ">= 0.85" } : {}),
  };
});
printFigures([...figures, ...ratios]);
process.exit(0);
