import { listAssets, readAsset } from "../assets.ts";
import { buildCatalogue, type Catalogue } from "../domain/compliance/catalogue.ts";
import { parseFramework } from "../domain/compliance/framework.ts";
import { parseRules } from "../domain/compliance/rule.ts";

let shipped: Catalogue | undefined;

/** The frameworks and rules shipped with the product; read once in a thread. Throws when a seed is not valid. */
export function shippedCatalogue(): Catalogue {
  return (shipped ??= buildCatalogue(
    texts("seeds/frameworks").map(([name, text]) => parseFramework(text, name)),
    texts("seeds/compliance").flatMap(([name, text]) => parseRules(text, name)),
  ));
}

const texts = (folder: string): [name: string, text: string][] =>
  listAssets(folder)
    .filter(name => name.endsWith(".yaml"))
    .map(name => [name, readAsset(`${folder}/${name}`)]);
