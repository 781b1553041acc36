import type { LucideIcon } from 'lucide-react'
import { actions, type ActionId } from '@shared/actions'
import { Button } from '../widgets/Button'
import { perform, useActionLimit } from './actions'
import { useShortcuts } from './shortcuts'

interface ActionButtonProps {
  readonly id: ActionId
  readonly label: string
  readonly icon: LucideIcon
  readonly pressed?: boolean
}

export function ActionButton({ id, label, icon, pressed }: ActionButtonProps) {
  const title = actions[id].title.replace('…', '')
  return (
    <Button
      label={label}
      tip={title === label ? label : `${label}: ${title}`}
      icon={icon}
      iconOnly
      look="plain"
      shortcut={useShortcuts()(id)}
      why={useActionLimit(id)}
      onClick={() => perform(id)}
      {...(pressed === undefined ? {} : { pressed })}
    />
  )
}
