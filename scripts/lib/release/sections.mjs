/** Parts of Markdown files below a heading of the second level. */

/**
 * @param {string} heading such as `0.2.0`; a date may follow it in brackets
 * @returns {string | undefined} what stands below it, without the heading; undefined when the heading or the text is missing
 */
export function section(markdown, heading) {
  const [, ...parts] = `\n${markdown}`.split(/\n## /)
  const found = parts.find((part) => titleOf(part) === heading)
  return found?.slice(found.split('\n', 1)[0].length).trim() || undefined
}

const titleOf = (part) => part.split('\n', 1)[0].replace(/ \([^)]*\)$/, '')
