import { listAssets, readAsset } from "../assets.ts";
import { parseRules } from "../domain/compliance/rule.ts";
import { type Catalogue, type FileKind, readCatalogue, readKinds } from "./check.ts";

const texts = (folder: string): Record<string, string> =>
  Object.fromEntries(
    listAssets(folder)
      .filter(name => name.endsWith(".yaml"))
      .map(name => [name, readAsset(`${folder}/${name}`)]),
  );

/** The checks this version ships, joined with the compliance rules they check. */
export function shippedCatalogue(): Catalogue {
  const rules = Object.entries(texts("seeds/compliance")).flatMap(([name, text]) => parseRules(text, name));
  return readCatalogue(texts("seeds/checks"), rules);
}

export const shippedKinds = (): Record<string, FileKind> => readKinds(readAsset("seeds/checks/kinds.yaml"));
