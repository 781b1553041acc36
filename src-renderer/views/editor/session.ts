import { frames } from '../../frames/frames'
import { EditSession } from './editSession'

export const session = new EditSession(frames)
