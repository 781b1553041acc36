import type { Tone } from './words'

export const StateWords = ({ word, tone }: { readonly word: string; readonly tone: Tone }) => (
  <span className={`state-words ${tone}`}>
    <span className="dot" aria-hidden />
    {word}
  </span>
)
