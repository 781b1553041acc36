import { visibleText } from './visibleText'
import './pathText.css'

/** A path in full; where it does not fit it goes on in the next line behind a separator, and its names stay whole. */
export const PathText = ({ path }: { readonly path: string }) => (
  <span className="data path-text">
    {visibleText(path)
      .split(/(?<=[/\\])/)
      .map((part, index) => (
        <span key={index}>{part}</span>
      ))}
  </span>
)
