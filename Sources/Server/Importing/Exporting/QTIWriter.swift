import CArchive
import ContentModel
import Publishing

/// A writer of QTI 3.0 packages: a manifest, an item for each question, and their images.
enum QTIWriter {
    static func write(
        _ questions: [Question], to path: String, media: (String) -> [UInt8]?
    ) throws -> ExportResult {
        let package = try Files.makeTemporary()
        defer { Files.remove(package) }
        guard let writer = underway_zip_create(package) else { throw Files.unwritable(package) }
        var skipped: [(id: String, reason: String)] = []
        var written: [Question] = []
        var images: Set<String> = []
        var isSound = true
        func add(_ name: String, _ bytes: [UInt8]) {
            isSound = isSound && underway_zip_add(writer, name, bytes, bytes.count) == 0
        }
        for question in questions {
            guard question.audio == nil else {
                skipped.append((question.id, "it plays a clip, which no export has"))
                continue
            }
            if let missing = question.mediaNames.first(where: { media($0) == nil }) {
                skipped.append((question.id, "its image \(missing) is missing"))
                continue
            }
            if let character = question.foreignToXML {
                skipped.append(
                    (question.id, "it has the character \(character), which XML cannot hold"))
                continue
            }
            written.append(question)
            add("items/\(question.id).xml", Array(item(question).utf8))
            for name in question.mediaNames where images.insert(name).inserted {
                add(name, media(name) ?? [])
            }
        }
        add("imsmanifest.xml", Array(manifest(written).utf8))
        guard underway_zip_finish(writer) == 0, isSound else {
            throw Files.unwritable(package)
        }
        try OutputFile.write(try Files.read(package, limit: .max), to: path)
        return ExportResult(writtenCount: written.count, skipped: skipped)
    }

    private static let declaration = "<?xml version=\"1.0\" encoding=\"UTF-8\"?>\n"

    private static func manifest(_ questions: [Question]) -> String {
        let resources = questions.map { question in
            let files = ["items/\(question.id).xml"] + question.mediaNames
            let list = files.map { "<file href=\"\(XMLElement.escaped($0))\"/>" }.joined()
            return "<resource identifier=\"r-\(question.id)\" type=\"imsqti_item_xmlv3p0\""
                + " href=\"items/\(question.id).xml\">\(list)</resource>\n"
        }
        return declaration
            + "<manifest xmlns=\"http://www.imsglobal.org/xsd/qti/qtiv3p0/imscp_v1p1\""
            + " identifier=\"underway\"><metadata><schema>QTI Package</schema>"
            + "<schemaversion>3.0.0</schemaversion></metadata><organizations/><resources>\n"
            + resources.joined() + "</resources></manifest>\n"
    }

    private static func item(_ question: Question) -> String {
        let marks = ExportMarks.marks(question, optionIDs: hasForeignIDs(question)) + question.tags
        let label = XMLElement.escaped(attribute: ExportMarks.joined(marks))
        return declaration
            + "<qti-assessment-item xmlns=\"http://www.imsglobal.org/xsd/imsqtiasi_v3p0\""
            + " identifier=\"\(question.id)\" title=\"\(question.id)\" label=\"\(label)\""
            + " adaptive=\"false\" time-dependent=\"false\">\n"
            + declaration(question)
            + outcome("SCORE", "float") + QTIFeedback.declarations(question)
            + "<qti-item-body>\(code(question) + interaction(question))</qti-item-body>\n"
            + processing(question) + explanation(question) + "</qti-assessment-item>\n"
    }

    private static func declaration(_ question: Question) -> String {
        let cardinality = QTIFeedback.cardinality(question.type)
        let (type, values) =
            switch question.key {
            case .options: ("identifier", question.correctOptionIDs.map(name))
            case .number(let key): ("float", [key.typicalValue.description])
            }
        let list = values.map { "<qti-value>\($0)</qti-value>" }.joined()
        return "<qti-response-declaration identifier=\"RESPONSE\" cardinality=\"\(cardinality)\""
            + " base-type=\"\(type)\"><qti-correct-response>\(list)</qti-correct-response>"
            + "</qti-response-declaration>\n"
    }

    private static func interaction(_ question: Question) -> String {
        switch question.key {
        case .options: choices(question)
        case .number(let key): entry(key, stem: text(question.stem))
        }
    }

    private static func processing(_ question: Question) -> String {
        switch question.key {
        case .options where QTIFeedback.isNeeded(question):
            "<qti-response-processing>" + QTIFeedback.match + QTIFeedback.rules(question)
                + "</qti-response-processing>\n"
        case .options:
            "<qti-response-processing template=\"https://purl.imsglobal.org/spec/qti/v3p0/"
                + "rptemplates/match_correct.xml\"/>\n"
        case .number(let key): processing(key, QTIFeedback.rules(question))
        }
    }

    static func outcome(
        _ name: String, _ type: String, cardinality: String = "single"
    ) -> String {
        "<qti-outcome-declaration identifier=\"\(name)\" cardinality=\"\(cardinality)\""
            + " base-type=\"\(type)\"/>\n"
    }

    /// Returns whether an option's id is not a valid name in XML and needs a substitute.
    private static func hasForeignIDs(_ question: Question) -> Bool {
        question.options.contains { name($0.id) != $0.id }
    }

    private static func name(_ id: String) -> String { id.first?.isNumber == true ? "_" + id : id }

    /// Returns the code and the image that precede the prompt.
    private static func code(_ question: Question) -> String {
        let code = question.code.map { code in
            "<pre><code class=\"language-\(XMLElement.escaped(code.language))\">"
                + XMLElement.escaped(code.text) + "</code></pre>"
        }
        return (code ?? "") + image(question.image).isEmptyOr { "<p>\($0)</p>" }
    }

    private static func choices(_ question: Question) -> String {
        let (kind, limit) =
            switch question.type {
            case .ordering: ("order", "")
            case .multiChoice: ("choice", " max-choices=\"0\"")
            case .singleChoice, .codeSnippet, .numericEntry: ("choice", " max-choices=\"1\"")
            }
        let options = question.options.map { option in
            let fixed = option.isPinned ? " fixed=\"true\"" : ""
            let feedback = option.feedback.map {
                "<qti-feedback-inline outcome-identifier=\"FEEDBACK\" identifier=\"\(name(option.id))\""
                    + " show-hide=\"show\">\(text($0))</qti-feedback-inline>"
            }
            return "<qti-simple-choice identifier=\"\(name(option.id))\"\(fixed)>"
                + text(option.text) + image(option.image) + (feedback ?? "")
                + "</qti-simple-choice>\n"
        }
        return "<qti-\(kind)-interaction response-identifier=\"RESPONSE\""
            + " shuffle=\"\(question.shufflesOptions)\"\(limit)>\n"
            + "<qti-prompt>\(text(question.stem))</qti-prompt>\n" + options.joined()
            + "</qti-\(kind)-interaction>"
    }

    private static func explanation(_ question: Question) -> String {
        guard let explanation = question.explanation else { return "" }
        return
            "<qti-modal-feedback outcome-identifier=\"\(QTIFeedback.explanation)\" identifier=\"explanation\""
            + " show-hide=\"show\"><qti-content-body><p>\(text(explanation))</p>"
            + "</qti-content-body></qti-modal-feedback>\n"
    }

    private static func text(_ text: String) -> String { ExactSpace.html(text) }

    private static func image(_ name: String?) -> String {
        name.map { "<img src=\"../\(XMLElement.escaped($0))\" alt=\"\"/>" } ?? ""
    }
}

extension Question {
    /// The first character of the question that XML cannot hold.
    fileprivate var foreignToXML: String? {
        let texts =
            [stem, explanation, code?.text, code?.language].compactMap(\.self) + tags
            + options.flatMap { [$0.text, $0.feedback ?? ""] }
        return texts.lazy.compactMap(\.foreignToXML).first
    }
}

extension String {
    /// Returns the text, changed unless it is empty.
    fileprivate func isEmptyOr(_ change: (String) -> String) -> String {
        isEmpty ? self : change(self)
    }
}
