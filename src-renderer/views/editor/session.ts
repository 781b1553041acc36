import { frames } from '../../frames/frames'
import { EditSession } from './editSession'

/** The window's one. */
export const session = new EditSession(frames)
