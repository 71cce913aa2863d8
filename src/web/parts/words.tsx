/** A sentence in which `code` stands in backquotes, as rules and the server write it. */
export const Words = ({ text }: { text: string }) => (
  <>
    {text.split(/`([^`]+)`/).map((piece, at) =>
      at % 2 === 1 ? (
        <code key={at} class="rounded bg-raised px-1 py-px break-words">
          {piece}
        </code>
      ) : (
        piece
      ),
    )}
  </>
);
