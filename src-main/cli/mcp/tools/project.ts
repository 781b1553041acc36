import { projectAct, projectAnswer } from '../../commands/project/act'
import { projectInspect } from '../../commands/project/inspect'
import { projectNeeds } from '../../commands/project/needs'
import { files, look, type Tool } from '../tool'

export const projectTool: Tool = {
  name: 'project',
  title: 'Projects of agents',
  about: 'Orchestrations in a folder: what they are at, and what they need.',
  operations: {
    inspect: look(projectInspect, 'its runs', { isForeign: true }),
    needs: look(projectNeeds, 'what waits for an answer', { isForeign: true }),
    answer: files(projectAnswer, 'a question'),
    act: files(projectAct, 'approve, retry, pause …'),
  },
}
