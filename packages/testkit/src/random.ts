/** The one generator of the project, by the name that fits and made-up catalogs know it by. */
export { seededRandom as mulberry32 } from "@setwise/core";
