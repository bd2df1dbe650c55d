/** Builds the web application ahead of the first start, for images and for machines where the service may not write. */
import { preparePages } from "../server/pages/index.ts";

await preparePages(() => console.log("Building the web application, about 10 s"));
console.log("The web application is built");
