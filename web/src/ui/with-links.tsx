const ADDRESS = /(https:\/\/[^\s<>"“”]*[^\s<>"“”.,;:!?)])/;

/** A text in which addresses of web pages are links, each to a page of its own. */
export const WithLinks = ({ text }: { readonly text: string }) =>
  text.split(ADDRESS).map((part, at) =>
    at % 2 === 0 ? (
      part
    ) : (
      // biome-ignore lint/suspicious/noArrayIndexKey: the parts of a text have no other name, and stay in their order.
      <a key={at} href={part} target="_blank" rel="noopener noreferrer">
        {part}
      </a>
    ),
  );
