/** A request as samples show it and the reader sends it. */
export interface Request {
  readonly method: string;
  /** With the origin. */
  readonly url: string;
  /** Whether it is sent with a credential. */
  readonly hasCredential: boolean;
  readonly headers: Readonly<Record<string, string>>;
  /** The text of the body; undefined where the request takes none. */
  readonly body: string | undefined;
}

export type Language = "curl" | "typescript" | "python";

/** Returns the value of a JSON text, or undefined if it is none. */
export function parsed(text: string): { readonly value: unknown } | undefined {
  try {
    return { value: JSON.parse(text) };
  } catch {
    return undefined;
  }
}

const inShell = (text: string) => `'${text.replaceAll("'", "'\\''")}'`;

function curl({ method, url, hasCredential, headers, body }: Request): string {
  const lines = [`curl ${method === "GET" ? "" : `-X ${method} `}${inShell(url)}`];
  if (hasCredential) lines.push('-H "Authorization: Bearer $TOKEN"');
  for (const [name, value] of Object.entries(headers)) lines.push(`-H ${inShell(`${name}: ${value}`)}`);
  if (body !== undefined) lines.push("-H 'Content-Type: application/json'", `-d ${inShell(body)}`);
  return lines.join(" \\\n  ");
}

const indented = (text: string, spaces: number) => text.replaceAll("\n", `\n${" ".repeat(spaces)}`);

function typescript({ method, url, hasCredential, headers, body }: Request): string {
  const fields = Object.entries(headers).map(([name, value]) => `${JSON.stringify(name)}: ${JSON.stringify(value)}`);
  if (hasCredential) fields.unshift('Authorization: "Bearer " + process.env.TOKEN');
  if (body !== undefined) fields.push('"Content-Type": "application/json"');
  const json = body === undefined ? undefined : parsed(body);
  const given = json ? `JSON.stringify(${indented(JSON.stringify(json.value, null, 2), 2)})` : JSON.stringify(body);
  const lines = [
    `const response = await fetch(${JSON.stringify(url)}, {`,
    `  method: "${method}",`,
    ...(fields.length > 0 ? [`  headers: {\n${fields.map((field) => `    ${field},\n`).join("")}  },`] : []),
    ...(body === undefined ? [] : [`  body: ${given},`]),
    "});",
    "if (!response.ok) throw new Error(await response.text());",
    "console.log(await response.text());",
  ];
  return lines.join("\n");
}

/** Returns a JSON value as Python writes it. */
function inPython(value: unknown, indent = ""): string {
  if (value === null) return "None";
  if (typeof value === "boolean") return value ? "True" : "False";
  if (typeof value !== "object") return JSON.stringify(value);
  const inner = `${indent}    `;
  const [open, close] = Array.isArray(value) ? ["[", "]"] : ["{", "}"];
  const parts = Array.isArray(value)
    ? value.map((one) => inPython(one, inner))
    : Object.entries(value).map(([name, one]) => `${JSON.stringify(name)}: ${inPython(one, inner)}`);
  return parts.length === 0
    ? open + close
    : `${open}\n${parts.map((part) => `${inner}${part},\n`).join("")}${indent}${close}`;
}

function python({ method, url, hasCredential, headers, body }: Request): string {
  const fields = Object.entries(headers).map(([name, value]) => `${JSON.stringify(name)}: ${JSON.stringify(value)}`);
  if (hasCredential) fields.unshift(`"Authorization": f"Bearer {os.environ['TOKEN']}"`);
  if (body !== undefined) fields.push('"Content-Type": "application/json"');
  const json = body === undefined ? undefined : parsed(body);
  const data = json ? `json.dumps(${inPython(json.value, "    ")})` : JSON.stringify(body);
  const names = [...(json ? ["json"] : []), ...(hasCredential ? ["os"] : []), "urllib.request"];
  return [
    ...names.map((name) => `import ${name}`),
    "",
    "request = urllib.request.Request(",
    `    ${JSON.stringify(url)},`,
    `    method="${method}",`,
    ...(fields.length > 0 ? [`    headers={\n${fields.map((field) => `        ${field},\n`).join("")}    },`] : []),
    ...(body === undefined ? [] : [`    data=${data}.encode(),`]),
    ")",
    "with urllib.request.urlopen(request) as response:",
    "    print(response.read().decode())",
  ].join("\n");
}

const WRITERS: Readonly<Record<Language, (request: Request) => string>> = { curl, typescript, python };

/** Returns a program that sends `request`, with nothing to install. The credential is read from the variable `TOKEN`. */
export const sample = (language: Language, request: Request): string => WRITERS[language](request);
