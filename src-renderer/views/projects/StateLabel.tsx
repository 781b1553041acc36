import type { Tone } from './labels'

export const StateLabel = ({
  word,
  tone,
  meaning,
}: {
  readonly word: string
  readonly tone: Tone
  readonly meaning?: string
}) => (
  <span className={`state-words ${tone}`} title={meaning}>
    <span className="dot" aria-hidden />
    {word}
  </span>
)
