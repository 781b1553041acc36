interface DocChapter {
  readonly title: string
  readonly pages: readonly DocPage[]
}

export interface DocPage {
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

export const unlistedDocs: Readonly<Record<string, string>> = {
  npm: 'It is the README of the npm package.',
}

/** As GitHub makes it, for headings of letters, digits and dashes alone, as ours are. */
export const headingId = (title: string): string =>
  title
    .toLowerCase()
    .replaceAll(/[^\p{L}\p{N}\s_-]/gu, '')
    .trim()
    .replaceAll(/\s/g, '-')
