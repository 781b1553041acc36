/** The order of test files in a run of several projects. */
import { BaseSequencer } from 'vitest/node'

/** Many, and over in no time: they fill the workers up to the end. */
const SHORT_PROJECTS = ['unit']

/**
 * Mixes the files of all projects, so that those that wait for VICE or a window stand beside those that compute, the longest
 * of each project first.
 */
export class FileOrder extends BaseSequencer {
  async sort(files) {
    const projects = Map.groupBy(await super.sort(files), ({ project }) => project.name)
    return [...projects]
      .flatMap(([name, ordered]) =>
        ordered.map((file, index) => ({
          file,
          place: index / ordered.length + (SHORT_PROJECTS.includes(name) ? 1 : 0),
        })),
      )
      .sort((a, b) => a.place - b.place)
      .map(({ file }) => file)
  }
}
