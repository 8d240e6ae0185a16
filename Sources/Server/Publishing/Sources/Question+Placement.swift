import ContentModel

extension Question {
    /// Returns what a question of a placement test must not have: an image, or a clip that its language has not.
    func problemOfPlacement(isHere: (String) -> Bool) -> String? {
        if !imageNames.isEmpty {
            return "the question \"\(id)\" shows an image, but placement tests have none"
        }
        guard let file = audio?.file, !isHere(file) else { return nil }
        return "the question \"\(id)\" plays \"\(file)\", which the audio of its language has not"
    }
}
