import { readFrontMatter, type FrontMatter } from '../text/frontMatter'
import { markdownLines, type MarkdownLine } from '../text/markdown'
import type { StateText } from '../text/stateFile'

export interface MarkdownFile {
  readonly text: StateText
  readonly front: FrontMatter
  readonly lines: readonly MarkdownLine[]
}

export function markdownFile(text: StateText): MarkdownFile {
  const front = readFrontMatter(text)
  return { text, front, lines: markdownLines(text.text, front.bodyStart) }
}
