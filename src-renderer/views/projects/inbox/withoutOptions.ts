/** `- **Option A:** Both` as `a: both`. */
const bare = (text: string): string =>
  text
    .replace(/^\s*(?:[-*+]|\d+[.)])\s+(?:\[[ xX]\]\s+)?/, '')
    .replaceAll(/[*_`]/g, '')
    .replace(/^option\s+/i, '')
    .replaceAll(/\s+/g, ' ')
    .trim()
    .toLowerCase()

const isHeading = (line: string): boolean => /^#{1,6}\s/.test(line)

export function withoutOptions(detail: string, options: readonly string[]): string {
  const offered = new Set(options.map(bare))
  const lines = detail.split('\n')
  const kept = lines.filter((line) => !offered.has(bare(line)))
  if (kept.length === lines.length) return detail
  const isEmptySection = (index: number): boolean => {
    if (!isHeading(kept[index] ?? '') || !/\boptions?\b/i.test(kept[index] ?? '')) return false
    const next = kept.slice(index + 1).find((line) => line.trim() !== '')
    return next === undefined || isHeading(next)
  }
  return kept.filter((_line, index) => !isEmptySection(index)).join('\n')
}
