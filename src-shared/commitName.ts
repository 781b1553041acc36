/** A commit's hash or the beginning of it. Nothing else is handed to git as a name. */
export const isCommitName = (name: string): boolean => /^[0-9a-f]{4,64}$/i.test(name)

/** Either name may have fewer digits. */
export function isSameCommit(one: string, other: string): boolean {
  if (one === other) return true
  if (!isCommitName(one) || !isCommitName(other)) return false
  const [short = '', long = ''] = [one, other].map((name) => name.toLowerCase()).sort((a, b) => a.length - b.length)
  return long.startsWith(short)
}
