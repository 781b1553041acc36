interface TextLinkProps {
  readonly text: string
  readonly tip?: string
  readonly onOpen: () => void
}

export const TextLink = ({ text, tip, onOpen }: TextLinkProps) => (
  <button type="button" className="text-link" title={tip} onClick={onOpen}>
    {text}
  </button>
)
