import ContentModel

/// A reader of H5P: choices, true and false, sets of them, and columns with them.
enum H5PReader {
    /// The content types that only show something.
    private static let shows: Set = [
        "H5P.AdvancedText", "H5P.Text", "H5P.Image", "H5P.Video", "H5P.Audio", "H5P.Link",
        "H5P.Table", "H5P.Accordion", "H5P.IFrameEmbed",
    ]
    /// The deepest nesting of containers.
    private static let depthMax = 20

    static func read(_ bytes: [UInt8], file: String) throws(ImportError) -> ImportedDrafts {
        let archive = try ZipArchive(bytes, file: file)
        let head = try document("h5p.json", archive, file)
        let content = try document("content/content.json", archive, file)
        guard case .string(let library)? = head["mainLibrary"] else {
            throw ImportError(file, .format, "is no H5P: its h5p.json names no main library")
        }
        var reader = Reader(archive: archive)
        reader.read(library, content, place: "content")
        for entry in archive.refused.prefix(50) {
            reader.result.note(entry.name, .entryUnread, "left out: \(entry.reason)")
        }
        return reader.result
    }

    private static func document(
        _ name: String, _ archive: ZipArchive, _ file: String
    ) throws(ImportError) -> [String: JSONValue] {
        if let refused = archive.refused.first(where: { $0.name == name }) {
            throw ImportError(
                file, .unreadable, "has a part \(name) that cannot be read: \(refused.reason)")
        }
        guard let bytes = archive.files[name] else {
            throw ImportError(file, .format, "is no H5P: it has no \(name)")
        }
        let root: JSONValue
        do throws(DocumentSyntaxError) {
            root = try JSONParser.parse(bytes).value
        } catch {
            throw ImportError(file, .syntax, "has a part \(name) that is no JSON: \(error.message)")
        }
        guard case .object(let members) = root else {
            throw ImportError(file, .syntax, "has a part \(name) that is no map")
        }
        return members
    }

    private struct Reader {
        let archive: ZipArchive
        var result = ImportedDrafts()

        /// Reads one content, or those in it.
        mutating func read(
            _ library: String, _ content: [String: JSONValue], place: String, depth: Int = 0
        ) {
            let name = library.split(separator: " ").first.map(String.init) ?? library
            guard depth < H5PReader.depthMax else {
                return result.skip(place, .limit, "it is nested too deeply")
            }
            switch name {
            case "H5P.QuestionSet":
                readList(content["questions"], place, "question", depth) { .object($0) }
            case "H5P.Column", "H5P.RowColumn":
                readList(content["content"] ?? content["columns"], place, "part", depth) {
                    $0["content"] ?? .object($0)
                }
            case "H5P.MultiChoice": add(multiChoice(content, place), place)
            case "H5P.TrueFalse": add(trueFalse(content, place), place)
            case "H5P.SingleChoiceSet": readSet(content["choices"], place)
            case let name where H5PReader.shows.contains(name):
                if result.notes.count < 100 {
                    result.note(place, .entryUnread, "\(name) is no question and is not read")
                }
            default:
                result.skip(
                    place, .typeUnsupported,
                    "contents of the type \(name.prefix(60)) are not supported")
            }
        }

        private mutating func readList(
            _ list: JSONValue?, _ place: String, _ word: String, _ depth: Int,
            _ content: ([String: JSONValue]) -> JSONValue
        ) {
            guard case .array(let entries)? = list else {
                return result.skip(place, .syntax, "it has no list of its parts")
            }
            for (index, entry) in entries.enumerated() {
                let place =
                    place == "content" ? "\(word) \(index + 1)" : "\(place), \(word) \(index + 1)"
                guard case .object(let members) = entry,
                    case .object(let part) = content(members),
                    case .string(let library)? = part["library"],
                    case .object(let parameters)? = part["params"]
                else {
                    result.skip(place, .syntax, "it names no type of content")
                    continue
                }
                read(library, parameters, place: place, depth: depth + 1)
            }
        }

        private mutating func add(_ draft: Result<QuestionDraft, SkipReason>, _ place: String) {
            switch draft {
            case .success(let draft): result.add(draft)
            case .failure(let reason): result.skip(place, reason)
            }
        }

        // MARK: Questions

        private func text(_ value: JSONValue?) -> MarkupText {
            if case .string(let html)? = value {
                MarkupText(html, readsTeX: true)
            } else {
                MarkupText(plain: "")
            }
        }

        /// Returns the file of a picture at the head of a question.
        private mutating func image(_ content: [String: JSONValue], _ draft: inout QuestionDraft) {
            guard case .object(let media)? = content["media"] else { return }
            let inner: [String: JSONValue]
            if case .object(let type)? = media["type"] { inner = type } else { inner = media }
            guard case .string(let library)? = inner["library"],
                case .object(let parameters)? = inner["params"]
            else { return }
            guard library.hasPrefix("H5P.Image"), case .object(let file)? = parameters["file"],
                case .string(let path)? = file["path"]
            else {
                draft.note(.mediaLost, "its medium of the type \(library.prefix(60)) is not kept")
                return
            }
            if let bytes = archive.bytes("content/" + path) {
                let name = OfficePackage.mediaName(path, bytes)
                result.media[name] = bytes
                draft.image = name
            } else {
                draft.image = path
            }
        }

        private mutating func multiChoice(
            _ content: [String: JSONValue], _ place: String
        ) -> Result<QuestionDraft, SkipReason> {
            let stem = text(content["question"])
            var draft = QuestionDraft(place: place, type: .singleChoice, stem: stem.text)
            draft.noteMedia(of: stem)
            image(content, &draft)
            guard case .array(let answers)? = content["answers"] else {
                return .failure(SkipReason(.optionsMissing, "it has no list of answers"))
            }
            for answer in answers {
                guard case .object(let members) = answer else {
                    return .failure(SkipReason(.syntax, "an answer is no map"))
                }
                let content = text(members["text"])
                draft.noteMedia(of: content)
                var option = QuestionDraft.Option(text: content.text)
                option.isRight = members["correct"] == true
                if case .object(let feedback)? = members["tipsAndFeedback"] {
                    let chosen = text(feedback["chosenFeedback"]).text
                    option.feedback = chosen.isEmpty ? nil : chosen
                    for name in ["tip", "notChosenFeedback"] {
                        let lost = text(feedback[name]).text
                        if !lost.isEmpty {
                            draft.note(.textLost, "the \(name) \"\(lost)\" is not kept")
                        }
                    }
                }
                draft.options.append(option)
            }
            guard draft.options.contains(where: \.isRight) else {
                return .failure(SkipReason(.keyNone, "no answer is correct"))
            }
            var behaviour: [String: JSONValue] = [:]
            if case .object(let members)? = content["behaviour"] { behaviour = members }
            let several =
                behaviour["type"] == "multi"
                || behaviour["singleAnswer"] == false && behaviour["type"] == nil
            draft.chooseTypeByKey()
            if behaviour["type"] == "single", draft.key.count > 1 {
                return .failure(
                    SkipReason(.keyDisagrees, "one answer is allowed, and several are correct"))
            }
            if several { draft.type = .multiChoice }
            draft.shufflesOptions = behaviour["randomAnswers"] != false
            return .success(draft)
        }

        private mutating func trueFalse(
            _ content: [String: JSONValue], _ place: String
        ) -> Result<QuestionDraft, SkipReason> {
            let stem = text(content["question"])
            let right: Bool
            switch content["correct"] {
            case "true", true: right = true
            case "false", false: right = false
            default: return .failure(SkipReason(.keyUnknown, "its key is neither true nor false"))
            }
            var draft = QuestionDraft(place: place, type: .singleChoice, stem: stem.text)
            draft.noteMedia(of: stem)
            image(content, &draft)
            draft.options = [
                .init(text: "True", isRight: right), .init(text: "False", isRight: !right),
            ]
            if case .object(let behaviour)? = content["behaviour"] {
                for (index, name) in ["feedbackOnCorrect", "feedbackOnWrong"].enumerated() {
                    let feedback = text(behaviour[name]).text
                    let option = (index == 0) == right ? 0 : 1
                    if !feedback.isEmpty { draft.options[option].feedback = feedback }
                }
            }
            draft.shufflesOptions = false
            return .success(draft)
        }

        /// Reads the questions of a set, of whose answers the first is right.
        private mutating func readSet(_ list: JSONValue?, _ place: String) {
            guard case .array(let choices)? = list else {
                return result.skip(place, .syntax, "it has no list of questions")
            }
            for (index, choice) in choices.enumerated() {
                let place =
                    place == "content" ? "choice \(index + 1)" : "\(place), choice \(index + 1)"
                guard case .object(let members) = choice,
                    case .array(let answers)? = members["answers"],
                    !answers.isEmpty
                else {
                    result.skip(place, .optionsMissing, "it has no list of answers")
                    continue
                }
                var draft = QuestionDraft(
                    place: place, type: .singleChoice, stem: text(members["question"]).text)
                draft.options = answers.enumerated().map {
                    .init(text: text($1).text, isRight: $0 == 0)
                }
                result.add(draft)
            }
        }
    }
}
