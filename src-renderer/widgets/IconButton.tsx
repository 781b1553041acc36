import type { LucideIcon } from 'lucide-react'
import { Button, type ButtonProps } from './Button'

interface IconButtonProps extends Omit<ButtonProps, 'iconOnly'> {
  readonly icon: LucideIcon
}

export const IconButton = (props: IconButtonProps) => <Button {...props} iconOnly />
