import { AppError } from '@shared/contract/errors'
import { showAgentRun } from '../../../client/agents/agentChoice'
import { call } from '../../../client/call'
import { attempt } from '../../../client/messages'
import { TextLink } from '../../../widgets/TextLink'
import { visibleText } from '../../../widgets/visibleText'
import { asShown, placeOf, showCommit, showSource, useProjects, useTrusted } from '../store'
import { useTurns } from '../turns/useTurns'
import { linkParts } from './linkParts'

interface LinkedTextProps {
  readonly project: number
  readonly run: string
  readonly text: string
}

/** Git runs in trusted folders only. */
export function LinkedText({ project, run, text }: LinkedTextProps) {
  const place = useProjects(({ projects }) => projects?.get(project)?.place ?? '')
  const trusted = useTrusted(project)
  return linkParts(text, place).map((part, index) => {
    const text = visibleText(part.text)
    switch (part.kind) {
      case 'text':
        return text
      case 'log':
        return <LogLink key={index} project={project} run={run} text={text} />
      case 'commit':
        return trusted ? (
          <TextLink key={index} text={text} tip="Show the commit" onOpen={() => showCommit(project, run, part.text)} />
        ) : (
          text
        )
      case 'file': {
        const { file, line } = part
        const open = () => attempt(() => openFile(project, run, file, line))
        return <TextLink key={index} text={text} tip={`Show ${visibleText(file)}`} onOpen={open} />
      }
    }
  })
}

function LogLink({ project, run: key, text }: LinkedTextProps) {
  const run = useProjects(({ runs }) => runs.get(placeOf(project, key))?.run)
  const [newest] = useTurns(project, run)
  return newest ? (
    <TextLink text={text} tip="Show the log" onOpen={() => attempt(() => showAgentRun(newest.run))} />
  ) : (
    text
  )
}

/** Agents name files relative to the project's folder or to the run's. */
async function openFile(project: number, run: string, file: string, line: number): Promise<void> {
  const folder = useProjects.getState().runs.get(placeOf(project, run))?.run.folder ?? ''
  for (const candidate of new Set([file, [folder, file].filter(Boolean).join('/')])) {
    const isThere = await call('projects.file', { project, file: candidate, line, ...asShown() }).then(
      () => true,
      (error: unknown) => {
        if (error instanceof AppError && error.code === 'NOT_FOUND') return false
        throw error
      },
    )
    if (isThere) {
      showSource(project, { file: candidate, line })
      return
    }
  }
  throw new AppError('NOT_FOUND', `There is no file ${visibleText(file)} in this project.`)
}
