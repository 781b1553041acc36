export function versionText(version: readonly number[]): string {
  const last = version.findLastIndex((part) => part !== 0)
  return `VICE ${version.slice(0, Math.max(last + 1, 2)).join('.')}`
}
