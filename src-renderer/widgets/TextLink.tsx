interface TextLinkProps {
  readonly text: string
  readonly tip?: string
  readonly onOpen: () => void
}

/** A word of a text that opens what it names. */
export const TextLink = ({ text, tip, onOpen }: TextLinkProps) => (
  <button type="button" className="text-link" title={tip} onClick={onOpen}>
    {text}
  </button>
)
