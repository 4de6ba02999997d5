/** A short tone. */
export default function chime() {
  const sound = new AudioContext();
  const [tone, loudness] = [sound.createOscillator(), sound.createGain()];
  tone.frequency.value = 660;
  loudness.gain.setValueAtTime(0.12, 0);
  loudness.gain.exponentialRampToValueAtTime(0.001, 0.5);
  tone.connect(loudness).connect(sound.destination);
  tone.onended = () => sound.close();
  tone.start();
  tone.stop(0.5);
}
