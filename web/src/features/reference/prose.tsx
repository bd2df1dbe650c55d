/** A text of the description: paragraphs, and code between backticks. */
export const Prose = ({ text, className }: { readonly text: string; readonly className?: string | undefined }) =>
  text
    .split("\n\n")
    .filter(Boolean)
    .map((paragraph) => (
      <p key={paragraph} className={className}>
        <Line text={paragraph} />
      </p>
    ));

export const Line = ({ text }: { readonly text: string }) => {
  let at = 0;
  return text.split("`").map((part, index) => {
    at += part.length + 1;
    return index % 2 === 1 ? <code key={at}>{part}</code> : <span key={at}>{part}</span>;
  });
};
