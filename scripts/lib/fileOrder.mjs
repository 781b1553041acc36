/** The order of test files in a run of several projects. */
import { BaseSequencer } from 'vitest/node'

/** VICE after those that mostly wait, as it computes too; the short ones fill the workers up to the end. */
const PROJECTS = ['e2e', 'integration', 'vice', 'fuzz', 'unit']

/** All files of a project one after another, since a worker goes on to the next file only within its project; the longest first. */
export class FileOrder extends BaseSequencer {
  async sort(files) {
    const placeOf = ({ project }) => PROJECTS.indexOf(project.name)
    return (await super.sort(files)).sort((a, b) => placeOf(a) - placeOf(b))
  }
}
