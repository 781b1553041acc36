/** The pages of docs/ in the order of the site’s navigation and of Help. */

interface DocChapter {
  readonly title: string
  readonly pages: readonly DocPage[]
}

export interface DocPage {
  /** Of the file in docs/, without its ending. */
  readonly name: string
  readonly title: string
}

export const docChapters: readonly DocChapter[] = [
  {
    title: 'Start',
    pages: [
      { name: 'index', title: 'Overview' },
      { name: 'start-programs', title: 'I write programs' },
      { name: 'start-drawing', title: 'I draw' },
      { name: 'start-agents', title: 'I run agents' },
      { name: 'for-users-of', title: 'For users of other tools' },
      { name: 'installing', title: 'Installing' },
    ],
  },
  {
    title: 'The machine',
    pages: [
      { name: 'machines', title: 'Machines' },
      { name: 'debugging', title: 'Debugging' },
      { name: 'find-the-bug', title: 'Find the bug' },
      { name: 'graphics', title: 'Graphics' },
      { name: 'checks', title: 'Checks' },
    ],
  },
  {
    title: 'Agents and projects',
    pages: [
      { name: 'agents', title: 'Agents at the machine' },
      { name: 'projects', title: 'Tasks, recordings, projects' },
      { name: 'agent-services', title: 'When a service misbehaves' },
    ],
  },
  {
    title: 'Reference',
    pages: [
      { name: 'command-line', title: 'The command line' },
      { name: 'api', title: 'API for scripts' },
      { name: 'data', title: 'Your data' },
      { name: 'serial-protocol', title: 'The serial protocol' },
    ],
  },
  {
    title: 'Building Bridgedeck',
    pages: [
      { name: 'architecture', title: 'Architecture' },
      { name: 'extending', title: 'Extending Bridgedeck' },
      { name: 'electron', title: 'Electron 25 and 45' },
      { name: 'releasing', title: 'Releasing' },
    ],
  },
]

/** The pages of docs/ that neither the site nor Help shows, with the reason. */
export const unlistedDocs: Readonly<Record<string, string>> = {
  npm: 'It is the README of the npm package.',
}

/** What a link to a heading ends with, as on GitHub; of letters, digits and dashes alone, as our headings are. */
export const headingId = (title: string): string =>
  title
    .toLowerCase()
    .replaceAll(/[^\p{L}\p{N}\s_-]/gu, '')
    .trim()
    .replaceAll(/\s/g, '-')
