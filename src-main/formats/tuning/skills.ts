import { nameOf, parentOf, type Listing } from '../listing'

/** A folder of a tuning run contains a copy of its skill. */
export const isPartOfRun = (path: string): boolean => path.split('/').some((part) => /^skill-tuning-\d{8}/.test(part))

/** `.` is the folder itself. Copies in folders of runs do not count. */
export const skillsIn = (listing: Listing, folder: string): string[] =>
  listing
    .below(folder)
    .filter((path) => nameOf(path) === 'SKILL.md' && !isPartOfRun(path))
    .map((path) => relativeTo(folder, parentOf(path)) || '.')

export const relativeTo = (folder: string, path: string): string => path.slice(folder === '' ? 0 : folder.length + 1)

export const markdownOf = (listing: Listing, skill: string): string[] =>
  listing.below(skill).filter((path) => path.endsWith('.md') && !isPartOfRun(relativeTo(skill, path)))
