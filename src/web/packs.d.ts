/** The community packs, put into the bundle by the build (without their cases). */
declare module "gatehouse:packs" {
  import type { Pack } from "../domain/policy/rules/schema.ts";
  const packs: Pack[];
  export default packs;
}
