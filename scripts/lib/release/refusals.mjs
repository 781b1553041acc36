import { section } from './sections.mjs'

/**
 * @param {object} state `changed` has the lines of `git status --porcelain`, `versions` those of other files by name, `tag` the tag that
 *   started this in a CI
 * @returns {string[]} why no release can be made, each with what to do
 */
export function refusals({ version, changed, changelog, versions, tag }) {
  return [
    ...changedFiles(changed),
    ...Object.entries(versions)
      .filter(([, other]) => other !== version)
      .map(([file, other]) => `${file} has version ${other}, package.json ${version}. Set both to the same version.`),
    ...(section(changelog, version) === undefined
      ? [`CHANGELOG.md has nothing below “## ${version}”. Write there what is new for users.`]
      : []),
    ...(tag !== undefined && tag !== `v${version}`
      ? [`The tag is ${tag}, the version ${version}. Tag the commit as v${version}.`]
      : []),
  ]
}

const MAX_NAMED_FILES = 5

function changedFiles(changed) {
  if (changed.length === 0) return []
  const more = changed.length - MAX_NAMED_FILES
  return [
    [
      'The working tree has changes. Commit or stash them, then run this again:',
      ...changed.slice(0, MAX_NAMED_FILES).map((line) => `  ${line}`),
      ...(more > 0 ? [`  and ${more} more`] : []),
    ].join('\n'),
  ]
}
