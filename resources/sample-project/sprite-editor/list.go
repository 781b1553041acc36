package editor

// Sprite is 24 by 21 dots, three bytes to a line.
type Sprite [63]byte

// List keeps sprites in the order in which they are played.
type List struct {
	Sprites []Sprite
	Current int
}

// Add puts a sprite behind the current one, and goes there.
func (l *List) Add(s Sprite) {
	at := min(l.Current+1, len(l.Sprites))
	l.Sprites = append(l.Sprites[:at], append([]Sprite{s}, l.Sprites[at:]...)...)
	l.Current = at
}
