import { visibleText } from './visibleText'
import './pathText.css'

export const PathText = ({ path }: { readonly path: string }) => (
  <span className="data path-text">
    {visibleText(path)
      .split(/(?<=[/\\])/)
      .map((part, index) => (
        <span key={index}>{part}</span>
      ))}
  </span>
)
