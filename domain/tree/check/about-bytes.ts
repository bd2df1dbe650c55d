interface SizedNode {
  readonly options?: readonly { readonly nodes?: readonly SizedNode[] | undefined }[] | undefined;
}

/** Bytes of a node or an option in JSON, roughly: work on a tree takes time for their number rather than for their texts. */
const THING_BYTES = 300;

/** Returns about how many bytes of JSON these nodes are, without the time that writing them would take. */
export function aboutBytes(nodes: readonly SizedNode[]): number {
  let bytes = 0;
  for (const { options = [] } of nodes) {
    bytes += (1 + options.length) * THING_BYTES;
    for (const { nodes: below } of options) if (below && below.length > 0) bytes += aboutBytes(below);
  }
  return bytes;
}
