/** Where skills are, from names alone. */
import { nameOf, parentOf, type Listing } from '../listing'

/** Whether a path leads into the folder of a tuning run, which has copies of its skill. */
export const isPartOfRun = (path: string): boolean => path.split('/').some((part) => /^skill-tuning-\d{8}/.test(part))

/** The folders with a SKILL.md, from a folder; `.` is the folder itself. Copies in folders of runs do not count. */
export const skillsIn = (listing: Listing, folder: string): string[] =>
  listing
    .below(folder)
    .filter((path) => nameOf(path) === 'SKILL.md' && !isPartOfRun(path))
    .map((path) => relativeTo(folder, parentOf(path)) || '.')

/** @param folder one that the path leads into, or is */
export const relativeTo = (folder: string, path: string): string => path.slice(folder === '' ? 0 : folder.length + 1)

/** What the scanners of a skill read. @param skill its folder */
export const markdownOf = (listing: Listing, skill: string): string[] =>
  listing.below(skill).filter((path) => path.endsWith('.md') && !isPartOfRun(relativeTo(skill, path)))
