import type { RunFiles } from '../../format'
import type { SkillFile } from '../scan/skillText'
import { markdownOf, relativeTo } from '../skills'

/** Characters; a person waits for the scan. */
const MAX_CHARACTERS = 8_000_000

export function skillTexts(
  { listing, files }: RunFiles,
  skill: string,
): Map<string, string> | { readonly problem: string } {
  const texts = new Map<string, string>()
  let characters = 0
  for (const path of markdownOf(listing, skill)) {
    const text = files.get(path)?.text
    if (typeof text !== 'string') return { problem: `${path} cannot be read.` }
    characters += text.length
    if (characters > MAX_CHARACTERS) return { problem: `The skill is larger than ${MAX_CHARACTERS / 1e6} MB.` }
    texts.set(relativeTo(skill, path), text)
  }
  return texts
}

export const filesOf = (texts: ReadonlyMap<string, string>): SkillFile[] =>
  [...texts].map(([path, text]) => ({ path, text }))
