import type { Beat, Told } from '../../run/stream.ts';

/**
 * Several segments beat once a second each; whoever watches hears one beat, when all have.
 * @param tell told of what one k6 process would have said
 */
export function createBeats(segments: number, tell: (told: Told) => void) {
  const heard: Beat[][] = Array.from({ length: segments }, () => []);
  const last: (Beat | undefined)[] = [];
  const gone = new Set<number>();
  const drum = () => {
    while (gone.size < segments && heard.every((beats, nth) => gone.has(nth) || beats.length > 0)) {
      for (const [nth, beats] of heard.entries()) last[nth] = beats.shift() ?? last[nth];
      const beats = last.filter((beat) => beat !== undefined);
      const sum = (of: (beat: Beat) => number) => beats.reduce((all, beat) => all + of(beat), 0);
      tell({
        beat: {
          lateMs: Math.max(...beats.map(({ lateMs }) => lateMs)),
          iterations: sum(({ iterations }) => iterations),
          vus: sum(({ vus }) => vus),
        },
      });
    }
  };
  return {
    hears(nth: number, told: Told): void {
      if (!told || !('beat' in told)) {
        tell(told);
        return;
      }
      heard[nth]?.push(told.beat);
      drum();
    },
    /** A segment has ended: the others are not held up by it. */
    ended(nth: number): void {
      gone.add(nth);
      drum();
    },
  };
}
