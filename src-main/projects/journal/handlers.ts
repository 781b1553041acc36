import { MAX_JOURNAL_PAGE } from '@shared/contract/orchestration'
import { MAX_MOMENTS } from '@shared/contract/projectHistory'
import type { Handlers } from '../../rpc/commands'
import type { Journal } from '../../storage/journal'
import { readPart } from '../read/filePart'
import type { OpenProject } from '../watch/openProject'
import type { History } from './history'

interface JournalParts {
  readonly journal: Journal
  readonly history: History
  /** @throws AppError NOT_FOUND when the project is not open */
  readonly requireOpen: (project: number) => OpenProject
}

type JournalCommand = 'projects.file' | 'projects.journal' | 'projects.moments' | 'projects.compare'

export const createJournalHandlers = ({
  journal,
  history,
  requireOpen,
}: JournalParts): Pick<Handlers, JournalCommand> => ({
  'projects.file': ({ project, file, line, at }) => {
    const { root } = requireOpen(project)
    return at === undefined ? readPart(root, file, line) : history.part(project, file, line, at)
  },
  'projects.moments': ({ project, run }) => ({ moments: journal.moments(project, run, MAX_MOMENTS) }),
  'projects.compare': ({ project, run, from, to = Date.now() }) =>
    history.compare(requireOpen(project), project, run, [from, to]),
  'projects.journal': ({ project, run, before }) => {
    const entries = journal.page(project, run, before, MAX_JOURNAL_PAGE)
    return { entries, next: entries.length === MAX_JOURNAL_PAGE ? (entries.at(-1)?.entry ?? null) : null }
  },
})
