import { Lock, ShieldCheck } from 'lucide-react'
import type { Project } from '@shared/contract/orchestration'
import { perform } from '../../client/actions'
import { call } from '../../client/call'
import { attempt } from '../../client/messages'
import { shortcutOf } from '../../client/shortcuts'
import { Button } from '../../widgets/Button'

/** Says above everything of a project that it is restricted, and asks for trust. */
export const Restricted = () => (
  <div className="projects-restricted" role="note">
    <Lock size={14} aria-hidden />
    <span>
      Restricted: nothing in it is run, git neither; so whether the commits that it names are there is unknown.
    </span>
    <Button label="Trust…" shortcut={shortcutOf('project.trust')} onClick={() => perform('project.trust')} />
  </div>
)

/** That a project is trusted, and the way back. */
export const Trusted = ({ project: { project } }: { readonly project: Project }) => (
  <div className="projects-trusted">
    <ShieldCheck size={14} aria-hidden />
    <span className="muted">Trusted: agents that you start, and git, may run in it.</span>
    <Button label="Restrict it again" onClick={() => attempt(() => call('projects.distrust', { project }))} />
  </div>
)
