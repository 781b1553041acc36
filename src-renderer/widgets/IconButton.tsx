import type { LucideIcon } from 'lucide-react'
import { Button, type ButtonProps } from './Button'

interface IconButtonProps extends Omit<ButtonProps, 'iconOnly'> {
  readonly icon: LucideIcon
}

/** A button of its icon alone; its label is its name and its tooltip. */
export const IconButton = (props: IconButtonProps) => <Button {...props} iconOnly />
