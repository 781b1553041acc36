import { defineCommand } from '../../command'
import { EXIT_OK } from '../../exitCodes'
import { projectFolder, projectGroup as group } from './group'

export const projectDistrust = defineCommand({
  group,
  name: 'distrust',
  summary: 'Restrict a folder again: nothing runs in it.',
  positionals: { folder: projectFolder },
  data: { path: 'absolute path', trusted: 'false' },
  examples: ['project distrust .'],
  run: async ({ output, signal, openSession }, { folder: path }) => {
    const { client } = await openSession()
    const { projects } = await client.call('projects.list', {}, signal)
    const found = projects.find(({ place }) => place === path)
    if (found) await client.call('projects.distrust', { project: found.project }, signal)
    output.result({ path, trusted: false }, `${path} is restricted: Bridgedeck runs nothing in it, not even git.`)
    return EXIT_OK
  },
})
