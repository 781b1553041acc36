import { AppError } from '@shared/contract/errors'
import { z } from 'zod'
import type { MainAreaHandlers, MainServices } from './services'

type Services = Pick<MainServices, 'bridge' | 'dialogs' | 'grants' | 'openFolder' | 'showInFolder'>

export const createTaskHandlers = ({
  bridge,
  dialogs,
  grants,
  openFolder,
  showInFolder,
}: Services): MainAreaHandlers<'tasks'> => ({
  'tasks.chooseFile': async () => {
    const path = await dialogs.open('taskFile', 'Choose a file for the task', [])
    return { file: path === undefined ? null : grants.issue(path) }
  },
  'tasks.startGranted': async ({ files, ...task }, signal) => {
    const { operations } = await bridge('tasks.operations', {}, signal)
    const paths = pathArguments(operations.find(({ name }) => name === task.operation)?.arguments)
    const given = [
      ...Object.keys(task.args).filter((name) => paths.has(name)),
      ...Object.keys(files).filter((name) => !paths.has(name)),
    ]
    if (given[0] !== undefined)
      throw new AppError(
        'FORBIDDEN',
        `Invalid argument ${given[0]}: choose files in the file dialog, and give other values directly.`,
      )
    const chosen = Object.fromEntries(Object.entries(files).map(([name, grant]) => [name, grants.look(grant)]))
    const started = await bridge('tasks.start', { ...task, args: { ...task.args, ...chosen } }, signal)
    for (const grant of Object.values(files)) grants.take(grant)
    return started
  },
  'tasks.openFolder': async ({ id }, signal) => {
    const problem = await openFolder((await bridge('tasks.folder', { id }, signal)).path)
    if (problem !== '')
      throw new AppError('INTERNAL', 'The task’s folder could not be opened.', {
        details: { problem: problem.slice(0, 2000) },
      })
    return {}
  },
  'tasks.showInFolder': async ({ id, artifact }, signal) => {
    showInFolder((await bridge('tasks.artifactPath', { id, artifact }, signal)).path)
    return {}
  },
})

const schemaWithFormats = z.object({ properties: z.record(z.string(), z.object({ format: z.string().optional() })) })

function pathArguments(schema: unknown): ReadonlySet<string> {
  const { data } = schemaWithFormats.safeParse(schema)
  return new Set(
    Object.entries(data?.properties ?? {}).flatMap(([name, { format }]) => (format === 'path' ? [name] : [])),
  )
}
