import { FolderOpen, Trash2, X } from 'lucide-react'
import type { Project, System } from '@shared/contract/orchestration'
import { call } from '../../client/call'
import { attempt } from '../../client/messages'
import { Button } from '../../widgets/Button'
import { visibleText } from '../../widgets/visibleText'
import { Formats } from './Formats'
import { Journal } from './Journal'
import { ProjectFile } from './ProjectFile'
import { Trusted } from './Restricted'
import { StateLabel } from './StateLabel'
import { NewRunButtons } from './setup/NewRun'
import { choose } from './store'
import { Worktrees } from './Worktrees'
import { agoText, projectMeaning, projectWords } from './labels'

interface ProjectDetailProps {
  readonly project: Project
  readonly formats: readonly System[]
  readonly now: number
}

export function ProjectDetail({ project, formats, now }: ProjectDetailProps) {
  const { project: id, state } = project
  return (
    <>
      <h2 className="projects-title">
        {visibleText(project.name)} <StateLabel {...projectWords(project)} meaning={projectMeaning(project)} />
      </h2>
      <p>
        <ProjectFile project={id} file="" />
      </p>
      <div className="projects-buttons">
        {state === 'closed' ? (
          <>
            <Button
              label="Open again"
              icon={FolderOpen}
              look="primary"
              onClick={() => attempt(() => call('projects.reopen', { project: id }))}
            />
            <Button
              label="Remove from list…"
              icon={Trash2}
              onClick={() =>
                attempt(async () => {
                  await call('projects.forget', { project: id })
                  choose(null)
                })
              }
            />
          </>
        ) : (
          <Button
            label="Close the project"
            icon={X}
            onClick={() => attempt(() => call('projects.close', { project: id }))}
          />
        )}
      </div>
      {project.problems.map((problem) => (
        <p key={problem} className="problem">
          {visibleText(problem)}
        </p>
      ))}
      {state === 'closed' ? (
        <p className="muted">Last opened {agoText(project.openedAt, now)}. Closed projects are not watched.</p>
      ) : (
        <>
          <p>
            {project.runs === 0 ? 'No runs found' : `${project.runs} run${project.runs === 1 ? '' : 's'} found`} among{' '}
            {project.files.toLocaleString('en')} files and folders.{' '}
            {project.runs === 0 ? 'A run shows here as soon as an agent writes one. ' : ''}Searched for:
          </p>
          <Formats formats={formats} />
          <NewRunButtons project={project} />
        </>
      )}
      {project.trusted ? <Trusted project={project} /> : null}
      {project.trusted && state !== 'closed' ? <Worktrees project={id} version={project} /> : null}
      <Journal project={id} run={null} version={project} now={now} />
    </>
  )
}
