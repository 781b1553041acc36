import type { ReactNode } from 'react'
import { call } from '../../client/call'
import { FilePath } from '../../client/FilePath'
import { fullPath } from '../../widgets/fullPath'
import { useProjects } from './store'

interface ProjectFileProps {
  readonly project: number
  /** Relative to the project, with `/`; empty for its folder. */
  readonly file: string
  readonly children?: ReactNode
}

export function ProjectFile({ project, file, children }: ProjectFileProps) {
  const place = useProjects(({ projects }) => projects?.get(project)?.place ?? '')
  return (
    <FilePath path={fullPath(place, file)} onShow={() => call('projects.showInFolder', { project, file })}>
      {children}
    </FilePath>
  )
}
