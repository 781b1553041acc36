import { Lock, ShieldCheck } from 'lucide-react'
import type { Project } from '@shared/contract/orchestration'
import { perform } from '../../client/actions'
import { call } from '../../client/call'
import { attempt } from '../../client/messages'
import { shortcutOf } from '../../client/shortcuts'
import { Button } from '../../widgets/Button'

export const Restricted = () => (
  <div className="projects-restricted" role="note">
    <Lock size={14} aria-hidden />
    <span>Restricted mode: Bridgedeck runs nothing here, not even git, so commits cannot be checked.</span>
    <Button label="Trust…" shortcut={shortcutOf('project.trust')} onClick={() => perform('project.trust')} />
  </div>
)

export const Trusted = ({ project: { project } }: { readonly project: Project }) => (
  <div className="projects-trusted">
    <ShieldCheck size={14} aria-hidden />
    <span className="muted">Trusted: git and the agents you start may run here.</span>
    <Button label="Restrict again" onClick={() => attempt(() => call('projects.distrust', { project }))} />
  </div>
)
