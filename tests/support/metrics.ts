/** A line of the metrics of a process. */
export interface Sample {
  readonly name: string;
  readonly labels: Readonly<Record<string, string>>;
  readonly value: number;
}

/** Reads Prometheus's text format. Throws for a line that it does not know. */
export function readSamples(text: string): Sample[] {
  const lines = text.split("\n").filter((line) => line !== "" && !line.startsWith("#"));
  return lines.map((line) => {
    const [, name = "", labels = "", value] = /^([a-z_]+)(?:\{(.*)\})? (\S+)$/.exec(line) ?? [];
    if (value === undefined) throw new Error(`not a sample: ${line}`);
    const pairs = [...labels.matchAll(/(\w+)="((?:[^"\\]|\\.)*)"/g)].map(([, key = "", text = ""]) => [key, text]);
    return { name, labels: Object.fromEntries(pairs), value: Number(value) };
  });
}

/** Returns the sum of the samples with this name and these labels; undefined if there are none. */
export function sumOf(text: string, name: string, labels: Readonly<Record<string, string>> = {}): number | undefined {
  const found = readSamples(text).filter(
    (sample) =>
      sample.name === name && Object.entries(labels).every(([label, value]) => sample.labels[label] === value),
  );
  return found.length === 0 ? undefined : found.reduce((sum, { value }) => sum + value, 0);
}

/** Reads the metrics at an address. */
export async function scrape(url: string, token?: string): Promise<string> {
  const response = await fetch(url, token === undefined ? {} : { headers: { authorization: `Bearer ${token}` } });
  if (response.status !== 200) throw new Error(`${url} returned ${response.status}`);
  return response.text();
}
